-- Takes the key, or leaves everything as it is.
-- KEYS[1]  the entry; Layout says where its fields stand
-- ARGV[1]  the entry of a first grant, from the lease on
-- ARGV[2]  take-over: N none, P to probe, R to run again
-- ARGV[3]  grace of a probe, in microseconds
-- ARGV[4]  fence and length of an entry whose processes the claimer has judged: no child of it lives; or absent
-- ARGV[5]  E: its owner has ended
-- answers  G time fence: granted afresh; A time entry: granted over what was there; K time entry: nothing changed
local v = redis.call('GET', KEYS[1])
if not v then
  redis.call('SET', KEYS[1], '1P' .. f .. f
    .. '0000000000000000000000000000000000000000000000000000000000000000000000000'
    .. n .. n .. n .. n .. ARGV[1])
  return 'G' .. n .. f
end

local sub = string.sub
local state = sub(v, 1, 2)
local now = n + 0
if state == '1C' or state == '1F' or state == '1K' or state == '1X' then
  local over = now - sub(v, 52, 67) - sub(v, 68, 83)
  if over >= sub(v, 84, 99) + 0 then
    state = '1S'
  elseif over >= 0 or state ~= '1F' then
    return 'K' .. n .. v
  end
elseif state ~= '1P' and state ~= '1D' and state ~= '1S' then
  -- Of a later format: for the claimer to refuse.
  return 'K' .. n .. v
end

local last = sub(v, 3, 18)
if f <= last then
  -- The clock has stepped back.
  f = string.format('%016.0f', last + 1)
end
local a = ARGV[1]
if state == '1S' then
  redis.call('SET', KEYS[1], '1P' .. f .. f .. string.rep('0', 73) .. n .. n .. n .. n .. a)
  return 'G' .. n .. f
end

local ownB = 69 + sub(a, 45, 50)
local ownO = ownB + sub(a, 51, 56)
local startB = 240 + sub(v, 216, 221)
local startO = startB + sub(v, 222, 227)
if state == '1P' and sub(v, startO, startO + 15) == sub(a, ownO, ownO + 15) then
  -- The answer was lost. The lease starts anew, as the claimer counts it from this request.
  v = sub(v, 1, 107) .. n .. sub(v, 124, 171) .. sub(a, 1, 16) .. sub(v, 188)
  redis.call('SET', KEYS[1], v)
  return 'A' .. n .. v
end
if sub(v, 240, 240) == '1' and sub(a, 69, 69) == '1' and sub(v, 241, 272) ~= sub(a, 70, 101) then
  return 'K' .. n .. v
end

-- include lapse.lua
local judged = ARGV[4] == last .. #v
local marks = sub(v, 215, 215)
local kind, since, doubt, lenD = sub(v, 35, 35), sub(v, 36, 51), nil, sub(v, 234, 239)
if state == '1P' then
  state, kind, since, doubt, lenD = lapse(v, n, judged, ARGV[5])
  if not state then
    return 'K' .. n .. v
  end
elseif state == '1D' then
  if marks == '2' and not judged then
    return 'K' .. n .. v
  end
  local startD = startO + sub(v, 228, 233)
  doubt = sub(v, startD, startD + lenD - 1)
end

local acted, staged, attempt = f, sub(a, 43, 43), string.format('%010.0f', sub(v, 204, 213) + 1)
local limitFrom, limit = n, sub(a, 17, 32)
local b, lenB = sub(a, ownB, ownO - 1), sub(a, 51, 56)
local known = sub(a, 69, 69) == '1'
local m = ''
if state == '1F' then
  marks, kind, since, doubt, lenD = '0', '0', '0000000000000000', '', '000000'
else
  local startM = startO + sub(v, 228, 233) + sub(v, 234, 239)
  m = sub(v, startM, #v - sub(v, 100, 107))
  local mayActUntil = sub(v, 124, 139) + sub(v, 188, 203)
  if ARGV[2] == 'R' then
    if now + limit < mayActUntil then
      limitFrom, limit = sub(v, 124, 139), sub(v, 188, 203)
    end
  elseif ARGV[2] == 'P' and now >= mayActUntil + ARGV[3] then
    acted, staged, attempt = sub(v, 19, 34), sub(v, 214, 214), sub(v, 204, 213)
    limitFrom, limit = sub(v, 124, 139), sub(v, 188, 203)
    b, lenB = sub(v, startB, startO - 1), sub(v, 222, 227)
    known = sub(v, 240, 240) == '0'
  else
    return 'K' .. n .. v
  end
end
local lenA, prints = sub(v, 216, 221), sub(v, 240, startB - 1)
if known then
  lenA, prints = sub(a, 45, 50), sub(a, 69, ownB - 1)
end
v = '1P' .. f .. acted .. kind .. since .. string.rep('0', 56) .. n .. limitFrom .. sub(v, 140, 155) .. n
  .. sub(a, 1, 16) .. limit .. attempt .. staged .. marks .. lenA .. lenB .. sub(a, 57, 62) .. lenD
  .. prints .. b .. sub(a, ownO) .. doubt .. m
redis.call('SET', KEYS[1], v)
return 'A' .. n .. v
