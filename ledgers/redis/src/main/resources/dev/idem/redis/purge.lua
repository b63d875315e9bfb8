-- Strips an expired entry to its tombstone, or to the stub that keeps its fence.
-- KEYS[1]  the entry
-- ARGV[1]  milliseconds until the stub may go
-- answers  1, or 0: nothing to do
local v = redis.call('GET', KEYS[1])
local sub = string.sub
local state = v and sub(v, 1, 2)
if state ~= '1C' and state ~= '1F' and state ~= '1K' and state ~= '1X' then
  return 0
end
local over = n - sub(v, 52, 67) - sub(v, 68, 83)
if over < 0 then
  return 0
elseif over >= sub(v, 84, 99) + 0 then
  redis.call('SET', KEYS[1], '1S' .. sub(v, 3, 18), 'PX', ARGV[1])
  return 1
elseif state == '1X' then
  return 0
elseif state == '1C' then
  -- Of a completion only the kind of its effect is left.
  local ends = #v - sub(v, 100, 107)
  redis.call('SET', KEYS[1], '1X' .. sub(v, 3, 99) .. '00000002' .. sub(v, 108, ends + 2), 'KEEPTTL')
else
  redis.call('SET', KEYS[1], '1X' .. sub(v, 3), 'KEEPTTL')
end
return 1
