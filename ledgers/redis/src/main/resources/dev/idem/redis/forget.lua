-- Leaves a stub of an entry: its fence, so that the next grant gets a higher one.
-- KEYS[1]  the entry
-- ARGV[1]  the fence that was seen
-- ARGV[2]  the state that was seen
-- ARGV[3]  milliseconds until the stub may go
-- ARGV[4]  as ARGV[4] of a claim
-- ARGV[5]  as ARGV[5] of a claim
-- answers  R: forgotten; K time entry: nothing changed
local v = redis.call('GET', KEYS[1])
if not v then
  return 'K' .. n
end
local sub = string.sub
-- include lapse.lua
local state, last = sub(v, 1, 2), sub(v, 3, 18)
if last ~= ARGV[1] or state == '1S' or sub(v, 1, 1) ~= '1' then
  return 'K' .. n .. v
elseif state == '1P' then
  state = lapse(v, n, ARGV[4] == last .. #v, ARGV[5])
  if not state then
    return 'K' .. n .. v
  end
elseif state ~= '1D' then
  local settlement = #v - sub(v, 100, 107) + 1
  local completed = sub(v, settlement, settlement) == 'C'
  -- A completion may have come late, after somebody saw a doubt and asked.
  if n - sub(v, 52, 67) - sub(v, 68, 83) >= sub(v, 84, 99) + 0
      or (completed and ARGV[2] ~= 'complete' and ARGV[2] ~= 'expired') then
    return 'K' .. n .. v
  end
end
-- A doubt may have come late, after somebody saw a lapse.
if state == '1D' and ARGV[2] == 'failed' then
  return 'K' .. n .. v
end
redis.call('SET', KEYS[1], '1S' .. last, 'PX', ARGV[3])
redis.pcall('PUBLISH', KEYS[1], '')
return 'R'
