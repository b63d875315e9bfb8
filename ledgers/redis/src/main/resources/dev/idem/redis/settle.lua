-- Ends an attempt, or leaves everything as it is.
-- KEYS[1]  the entry
-- ARGV[1]  the ticket's fence
-- ARGV[2]  C completed, F failed, K failed and kept, N not executed, D doubtful, E doubtful and seen to end
-- ARGV[3]  keep, tombstone and length of the settlement
-- ARGV[4]  the settlement
-- ARGV[5]  milliseconds until the key may go
-- ARGV[6]  length of the doubt's text, where it is doubtful
-- ARGV[7]  the doubt's text
-- answers  R time entry: recorded over this entry; K time entry: nothing changed
local v = redis.call('GET', KEYS[1])
if not v then
  return 'K' .. n
end
local sub = string.sub
local state, how, ticket = sub(v, 1, 2), ARGV[2], ARGV[1]
local current = state == '1P' and sub(v, 3, 18) == ticket
if how == 'C' and (current or ((state == '1P' or state == '1D') and sub(v, 19, 34) == ticket)) then
  local rest = state == '1P' and sub(v, 108) or sub(v, 108, #v - sub(v, 100, 107))
  redis.call('SET', KEYS[1], '1C' .. sub(v, 3, 34) .. '00000000000000000' .. n .. ARGV[3] .. rest .. ARGV[4],
    'PX', ARGV[5])
elseif not current then
  return 'K' .. n .. v
else
  local kind, acted = sub(v, 35, 35), sub(v, 19, 34)
  if how ~= 'D' and how ~= 'E' and (kind == '0' or (how == 'N' and acted ~= ticket)) then
    if how == 'N' then
      how, acted = 'F', ticket
    end
    redis.call('SET', KEYS[1], '1' .. how .. ticket .. acted .. '00000000000000000' .. n .. ARGV[3] .. sub(v, 108)
      .. ARGV[4], 'PX', ARGV[5])
  else
    local ended = n .. string.rep('0', 32) .. sub(ARGV[3], 33)
    local new
    if kind ~= '0' then
      -- A failure after a take-over says nothing of the earlier attempt: doubt is sticky.
      new = '1D' .. sub(v, 3, 51) .. ended .. sub(v, 108)
    else
      local startD = 240 + sub(v, 216, 221) + sub(v, 222, 227) + sub(v, 228, 233)
      local times = sub(v, 108, 233)
      if how == 'E' and n - sub(v, 124, 139) - sub(v, 188, 203) < 0 then
        -- It can act until now and no longer.
        times = sub(v, 108, 123) .. n .. sub(v, 140, 187) .. '0000000000000000' .. sub(v, 204, 233)
      end
      new = '1D' .. sub(v, 3, 34) .. 'T' .. n .. ended .. times .. ARGV[6] .. sub(v, 240, startD - 1)
        .. ARGV[7] .. sub(v, startD)
    end
    redis.call('SET', KEYS[1], new .. ARGV[4])
  end
end
-- Whoever may not publish wakes nobody; the record stands.
redis.pcall('PUBLISH', KEYS[1], '')
return 'R' .. n .. v
