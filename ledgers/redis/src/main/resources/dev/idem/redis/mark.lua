-- Adds a mark to a staged entry whose ticket is current and allowed to act.
-- KEYS[1]  the entry
-- ARGV[1]  the ticket's fence
-- ARGV[2]  1, or 2 for a mark with a child process
-- ARGV[3]  the mark
-- answers  1, or 0: refused
local v = redis.call('GET', KEYS[1])
local sub = string.sub
if not v or sub(v, 1, 2) ~= '1P' or sub(v, 3, 18) ~= ARGV[1] or sub(v, 19, 34) ~= ARGV[1]
  or sub(v, 214, 214) ~= '1' then
  return 0
end
local marks = ARGV[2]
if sub(v, 215, 215) == '2' then
  marks = '2'
end
redis.call('SET', KEYS[1], sub(v, 1, 214) .. marks .. sub(v, 216) .. ARGV[3])
return 1
