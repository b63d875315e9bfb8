-- Prolongs the lease of the current ticket, counted from now.
-- KEYS[1]  the entry
-- ARGV[1]  the ticket's fence
-- ARGV[2]  the lease, in microseconds
-- answers  1, or 0: the ticket is not the current one
local v = redis.call('GET', KEYS[1])
local sub = string.sub
if not v or sub(v, 1, 2) ~= '1P' or sub(v, 3, 18) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], sub(v, 1, 107) .. n .. sub(v, 124, 171) .. ARGV[2] .. sub(v, 188))
return 1
