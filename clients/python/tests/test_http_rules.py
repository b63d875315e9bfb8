"""The rules of idempotency keys over HTTP, without a server."""

import json
import os
import unittest

from idem.frameworks import http_body, http_rules
from idem.frameworks.http_rules import Ending, Key, Malformed, Meanings, Response, StoredHeaders


class KeysTest(unittest.TestCase):
    def test_a_key_is_a_quoted_or_a_bare_text(self):
        for line, value in (('"abc"', "abc"), ("abc", "abc"), ('"a b"; p=1', "a b"), ('"a\\"b"', 'a"b'), (" abc ", "abc")):
            self.assertEqual(value, Key.parse([line]).value)
        self.assertEqual('"a\\"b"', Key.parse(['"a\\"b"']).echo())
        self.assertEqual("abc", Key.parse(["abc"]).echo())

    def test_a_malformed_key_is_refused(self):
        wrong = ["", '""', '" "', "a b", "a,b", 'a"b', '"abc', '"abc" d', '"a\\b"', "x" * 256, "ä", '"ä"', "a\x00"]
        for line in wrong:
            with self.assertRaises(Malformed, msg=line):
                Key.parse([line])
        with self.assertRaises(Malformed):
            Key.parse(["a", "a"])

    def test_an_id_of_another_form_is_digested(self):
        self.assertEqual("abc", http_rules.key_of("abc"))
        self.assertRegex(http_rules.key_of("a b"), "id_[0-9a-f]{64}")
        # Else it could pass for the digest of another one.
        self.assertNotEqual(http_rules.key_of("a b"), http_rules.key_of(http_rules.key_of("a b")))

    def test_no_name_of_a_caller_passes_for_another(self):
        callers = [["ann"], ["acme", "ann"], ["acme/ann"], ["//acme/ann"], ["acme", "x/ann"], ["acme/x", "ann"], ["acme%2Fx", "ann"]]
        callers += [["sha256:" + "0" * 64], ["x" * 300], ["x" * 301], ["a\nb"]]
        scopes = [http_rules.scope_of(caller) for caller in callers]
        self.assertEqual(len(scopes), len(set(scopes)))
        self.assertEqual("http:ann", scopes[0])
        self.assertEqual("http://acme/ann", scopes[1])


VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "identity-vectors.jsonl")
BODIES = os.path.join(os.path.dirname(VECTORS), "body-cases.jsonl")


class BodiesTest(unittest.TestCase):
    def test_json_has_the_canonical_form_of_all_languages(self):
        """Else a request has another fingerprint here than in Java and Node."""
        with open(VECTORS, "rb") as file:
            for line in file:
                canonical = json.loads(line)["canonical"]
                self.assertEqual(canonical, http_body.canonical_json(canonical.encode("utf-8")))
        same = {
            "42e2": "4200", "-0.0": "0", "1.50": "1.5", "1e21": "1e+21", "123e-9": "1.23e-7", "0.000001": "0.000001",
            "9007199254740993": "9007199254740993", "1e400": "1" + "0" * 400, "0.1e-400": "0." + "0" * 400 + "1",
            '"Zo\\u00eb\\u001F/"': '"Zo\u00eb\\u001f/"', '{"\U0001F600":1,"\uFB33":2}': '{"\U0001F600":1,"\uFB33":2}',
        }
        for text, canonical in same.items():
            self.assertEqual(canonical, http_body.canonical_json(text.encode("utf-8")))
        for refused in ("1" * 1001, "1e1001", "1e99999999999999999999", '"\\ud800"'):
            self.assertTrue(self.digest(refused.encode(), "application/json").startswith("bytes:"), refused[:20])

    def digest(self, content, kind):
        body = http_body.Body()
        self.addCleanup(body.close)
        body.write(content)
        return body.digest(kind)

    def test_a_body_has_the_print_of_all_languages(self):
        with open(BODIES, encoding="utf-8") as file:
            for case in map(json.loads, file):
                content = case.get("before", "") + case.get("repeat", "") * case.get("times", 0) + case["body"]
                self.assertEqual(case["print"], self.digest(content.encode("utf-8"), case["type"]), case["name"])

    def test_json_is_compared_by_its_values(self):
        kind = "application/json; charset=utf-8"
        first = self.digest(b'{"a": 1, "b": [1.50, null]}', kind)
        self.assertEqual(first, self.digest(b'{"b":[15e-1,null],"a":1.0}', kind))
        for other in (b'{"a": "1", "b": [1.5, null]}', b'{"a": 1, "b": [1.5]}', b'{"a": true, "b": [1.5, null]}'):
            self.assertNotEqual(first, self.digest(other, kind))
        big = (b"9007199254740993", b"9007199254740992", b"1e400", b"1e401")
        self.assertEqual(len(big), len({self.digest(each, kind) for each in big}))

    def test_a_body_that_is_no_strict_json_is_compared_by_its_bytes(self):
        for content in (b'{"a":1,"a":2}', b"NaN", b"{", b"\xff", b"[" * 100000, b""):
            self.assertTrue(self.digest(content, "application/json").startswith("bytes:"), content[:20])

    def test_a_form_is_compared_by_its_fields(self):
        kind = "application/x-www-form-urlencoded"
        self.assertEqual(self.digest(b"a=1&b=%32", kind), self.digest(b"b=2&a=1", kind))
        self.assertNotEqual(self.digest(b"a=1&a=2", kind), self.digest(b"a=2&a=1", kind))
        self.assertTrue(self.digest(b"a=%zz", kind).startswith("bytes:"))

    def part(self, boundary, content, name="file"):
        head = 'Content-Disposition: form-data; name="%s"; filename="x"' % name
        return b"--%s\r\n%s\r\n\r\n%s\r\n" % (boundary, head.encode(), content)

    def test_an_upload_is_compared_without_its_boundary(self):
        for size in (10, 3 << 20):
            content = b"\r\n--X" + b"x" * size
            digests = {
                self.digest(self.part(name, content) + b"--" + name + b"--\r\n", "multipart/form-data; boundary=" + name.decode())
                for name in (b"AAA", b"BBBBB")
            }
            self.assertEqual(1, len(digests))
            other = self.digest(self.part(b"AAA", content + b"y") + b"--AAA--", "multipart/form-data; boundary=AAA")
            self.assertNotIn(other, digests)
        torn = self.digest(self.part(b"AAA", b"x"), "multipart/form-data; boundary=AAA")
        self.assertTrue(torn.startswith("bytes:"))


class ResponsesTest(unittest.TestCase):
    def test_what_a_status_means_for_the_key(self):
        usual = Meanings.of((), (), ())
        for status in (200, 201, 302, 400, 404, 409, 422):
            self.assertIs(Ending.FINAL, usual.ending(Response(status)), status)
        for status in (408, 421, 423, 425, 429, 500, 502, 503):
            self.assertIs(Ending.DOUBTFUL, usual.ending(Response(status)), status)
        self.assertIs(Ending.DOUBTFUL, usual.ending(Response(409, [("Retry-After", "1")])))
        self.assertIs(Ending.DOUBTFUL, usual.ending(http_rules.Problem.IN_DOUBT.response()))
        declared = Meanings.of((500,), (429, 503), (200,))
        ends = [declared.ending(Response(status)) for status in (500, 429, 200)]
        self.assertEqual([Ending.FINAL, Ending.RELEASED, Ending.DOUBTFUL], ends)
        with self.assertRaises(ValueError):
            Meanings.of((503,), (503,), ())

    def test_a_response_comes_back_without_secrets(self):
        headers = [("Content-Type", "text/plain"), ("Set-Cookie", "s=1"), ("X-Order-Id", "7"), ("X-Auth-Token", "t")]
        names = StoredHeaders(["x-order-*"])
        for content in (b"zw\xc3\xb6lf", b"\xff\x00"):
            back = http_rules.restored(http_rules.stored(Response(201, headers, content), names, True))
            self.assertEqual((201, content), (back.status, back.body))
            self.assertEqual([("Content-Type", "text/plain"), ("X-Order-Id", "7")], back.headers)
        self.assertIsNone(http_rules.restored(http_rules.stored(Response(200), names, False)))
        self.assertEqual(b'{"order": 7}', http_rules.restored({"order": 7}).body)
        with self.assertRaises(ValueError):
            http_rules.restored({"version": 2, "status": 200, "encoding": "text"})
        with self.assertRaises(ValueError):
            StoredHeaders(["Set-Cookie"])


if __name__ == "__main__":
    unittest.main()
