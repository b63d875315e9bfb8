// The filter of the search: in the fragment of the URL, as chips, and as members of `browse`. Pure.
import { age, zoned } from "./time.js";

/** The fields of a filter and what they say. A value that ends in * is a beginning. */
export const FIELDS = {
  state: { says: "state", many: true },
  scope: { says: "scope, such as order-7 or acme/*" },
  operation: { says: "operation" },
  key: { says: "key, or its beginning with *" },
  label: { says: "label, such as customer=cus_1", many: true },
  newer: { says: "claimed since: 24h ago, or a date such as 2026-11-15T09:30" },
  older: { says: "claimed before: 15m ago, or a date" },
  tries: { says: "tried at least so often, such as 2" },
  message: { says: "failed or in doubt, and says so, such as timeout" },
  by: { says: "resolved or approved by" },
};

/** The chips of a query text: [{field, value}], without those that nothing can be made of. */
export function chips(query) {
  return [...new URLSearchParams(query)].filter(([field, value]) => FIELDS[field] && value).map(([field, value]) => ({ field, value }));
}

/** The query text of chips. */
export function query(all) {
  return new URLSearchParams(all.map(({ field, value }) => [field, value])).toString();
}

/** The chips with one more; it takes the place of an earlier one where a field can have one value. */
export function add(all, one) {
  const chip = isTime(one) ? { ...one, value: zoned(one.value) ?? one.value } : one;
  const others = all.filter(
    (each) =>
      each.field !== chip.field ||
      (FIELDS[chip.field].many && each.value !== chip.value && (chip.field !== "label" || name(each) !== name(chip))),
  );
  return [...others, chip];
}

const isTime = ({ field }) => field === "newer" || field === "older";
const name = (chip) => chip.value.split("=", 1)[0];

/** Why a chip can't be used; null if it can. */
export function wrong(chip) {
  const { field, value } = chip;
  if (isTime(chip) && !(age(value) >= 0)) {
    return age(value) < 0 ? "this is in the future" : "write a time such as 15m or 7d ago, or a date: 2026-11-15, 2026-11-15T09:30";
  } else if (field === "tries" && !/^[1-9]\d{0,8}$/.test(value)) {
    return "write a number such as 2";
  } else if (field === "label" && !/^[^=]+=/.test(value)) {
    return "write name=value";
  }
  return null;
}

/** The members of `browse`. */
export function browse(all) {
  const filter = {};
  const states = [];
  const labels = {};
  for (const chip of all.filter((each) => !wrong(each))) {
    const { field, value } = chip;
    if (field === "state") {
      states.push(value);
    } else if (field === "label") {
      labels[name(chip)] = value.slice(name(chip).length + 1);
    } else if (isTime(chip)) {
      filter[`${field}_than_ms`] = age(value);
    } else if (field === "tries") {
      filter.min_attempt = Number(value);
    } else if (field === "message") {
      filter.message = value;
    } else if (field === "by") {
      filter.resolved_by = value;
    } else if (field !== "operation" && value.endsWith("*")) {
      filter[`${field}_prefix`] = value.slice(0, -1);
    } else {
      filter[field] = value;
    }
  }
  return { ...filter, ...(states.length && { states }), ...(Object.keys(labels).length && { labels }) };
}

/** The chip that a typed text means: "customer=cus_1", "state:failed", or the beginning of a key. */
export function typed(text) {
  const trimmed = text.trim();
  const found = /^(\w+):\s*(.+)$/s.exec(trimmed);
  if (found && FIELDS[found[1]]) {
    return { field: found[1], value: found[2] };
  }
  return /^[A-Za-z0-9._-]{1,64}=/.test(trimmed) ? { field: "label", value: trimmed } : { field: "key", value: `${trimmed.replace(/\*$/, "")}*` };
}

/** Where an entry is shown, and where its scope is. */
export const entryLink = ({ scope, operation, key }) => `#/entry?${new URLSearchParams({ scope, operation, key })}`;
export const scopeLink = (scope) => `#/scope?${new URLSearchParams({ scope })}`;
export const searchLink = (fields) => `#/search?${new URLSearchParams(fields)}`;

/** What names an entry in this page. */
export const id = (entry) => JSON.stringify([entry.scope, entry.operation, entry.key]);

/** Whether a scope holds entries of Idem's own, such as approvals, and not calls of an agent. */
export const isOwn = (scope) => scope === "idem" || scope === "approvals" || scope.startsWith("approvals:");
