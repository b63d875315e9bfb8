import uuid, hashlib

def idempotency_key(operation: str, inputs: dict) -> str:
    # Stable key: same operation + same inputs → same key across retries
    payload = f"{operation}:{sorted(inputs.items())}"
    return hashlib.sha256(payload.encode()).hexdigest()[:32]

key = idempotency_key("create-order", {"amount": 100, "user": "alice"})

result = run(["tool", "create-order", "--amount", "100", "--idempotency-key", key])
parsed = json.loads(result.stdout)

if parsed.get("effect") == "noop":
    # Already completed — safe to treat as success
    pass
