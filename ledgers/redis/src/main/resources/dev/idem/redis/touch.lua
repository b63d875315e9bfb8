-- Writes one byte of a row once more, so that the replicas can be asked whether they have it.
-- KEYS[1]  the row
local first = redis.call('GETRANGE', KEYS[1], 0, 0)
if first ~= '' then
  redis.call('SETRANGE', KEYS[1], 0, first)
end
return 1
