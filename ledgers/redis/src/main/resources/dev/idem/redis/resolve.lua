-- Settles by a person's word, or leaves everything as it is.
-- KEYS[1]  the entry
-- ARGV     as for a settle, with the fence that was seen, and the doubt's text always there
-- ARGV[8]  as ARGV[4] of a claim
-- ARGV[9]  as ARGV[5] of a claim
-- answers  R: resolved; K time entry: nothing changed
local v = redis.call('GET', KEYS[1])
if not v then
  return 'K' .. n
end
local sub = string.sub
-- include lapse.lua
local state, last = sub(v, 1, 2), sub(v, 3, 18)
if last ~= ARGV[1] or (state ~= '1P' and state ~= '1D' and state ~= '1F' and state ~= '1K') then
  return 'K' .. n .. v
end
local startD = 240 + sub(v, 216, 221) + sub(v, 222, 227) + sub(v, 228, 233)
local kind, since, lenD = sub(v, 35, 35), sub(v, 36, 51), sub(v, 234, 239)
local doubt = sub(v, startD, startD + lenD - 1)
if state == '1P' then
  state, kind, since, doubt, lenD = lapse(v, n, ARGV[8] == last .. #v, ARGV[9])
  if not state then
    return 'K' .. n .. v
  end
elseif state ~= '1D' and n - sub(v, 52, 67) - sub(v, 68, 83) >= 0 then
  return 'K' .. n .. v
end
if f <= last then
  f = string.format('%016.0f', last + 1)
end
local how = ARGV[2]
local ended = ARGV[3]
if (state == '1F' or state == '1K') and how ~= 'C' and how ~= 'D' then
  -- What has failed did nothing, as its owner may have said only now, and a failure that is kept stays so.
  return 'K' .. n .. v
end
if how == 'D' then
  ended = string.rep('0', 32) .. sub(ended, 33)
  if kind == '0' then
    kind, since, doubt, lenD = 'T', n, ARGV[7], ARGV[6]
  end
else
  if how == 'N' then
    how = 'F'
  end
  kind, since, doubt, lenD = '0', '0000000000000000', '', '000000'
end
local new = '1' .. how .. f .. f .. kind .. since .. n .. ended .. sub(v, 108, 233) .. lenD .. sub(v, 240, startD - 1)
  .. doubt .. sub(v, startD + sub(v, 234, 239), #v - sub(v, 100, 107)) .. ARGV[4]
if how == 'D' then
  redis.call('SET', KEYS[1], new)
else
  redis.call('SET', KEYS[1], new, 'PX', ARGV[5])
end
redis.pcall('PUBLISH', KEYS[1], '')
return 'R'
