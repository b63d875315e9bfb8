-- How an entry in progress counts now: nothing while it is alive; 1F when it has lapsed and is known to have done
-- nothing; else 1D with its doubt: kind, since, text and the length of the text.
local function lapse(v, n, judged, owner)
  local ends = sub(v, 108, 123) + sub(v, 172, 187)
  local dead = judged and owner == 'E'
  local marks = sub(v, 215, 215)
  if (n + 0 < ends and not dead) or (marks == '2' and not judged) then
    return nil
  end
  local startO = 240 + sub(v, 216, 221) + sub(v, 222, 227)
  local startD = startO + sub(v, 228, 233)
  local kind = sub(v, 35, 35)
  if kind ~= '0' then
    return '1D', kind, sub(v, 36, 51), sub(v, startD, startD + sub(v, 234, 239) - 1), sub(v, 234, 239)
  elseif sub(v, 214, 214) == '1' and marks == '0' then
    return '1F', '0', '0000000000000000', '', '000000'
  end
  -- When a process ended within its lease is not known: at the earliest when it was granted the key.
  local since = sub(v, 156, 171)
  if n + 0 >= ends then
    since = string.format('%016.0f', ends)
  end
  return '1D', dead and 'E' or 'L', since, sub(v, startO, startD - 1), sub(v, 228, 233)
end
