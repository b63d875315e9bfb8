-- Writes one byte of a row once more, so that the replicas can be asked whether they have it.
-- KEYS[1]  the row
-- ARGV[1]  the version that was seen
-- answers  1, or 0: the version is another one
local line = redis.call('GETRANGE', KEYS[1], 0, 255)
if string.match(line, '^%S+ %S+ (%S+) ') ~= ARGV[1] then
  return 0
end
redis.call('SETRANGE', KEYS[1], 0, string.sub(line, 1, 1))
return 1
