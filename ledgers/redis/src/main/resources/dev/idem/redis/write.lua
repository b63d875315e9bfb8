-- Writes a row over the one that was seen, or where there is none. RowText says what its words mean.
-- KEYS[1]   the row
-- ARGV[1]   the version that was seen, - for no row
-- ARGV[2]   the end of the lease that was seen, or nothing: it is not compared
-- ARGV[3]   new state
-- ARGV[4]   new version
-- ARGV[5]   new fence: yes or no
-- ARGV[6]   the time to set: claimed, settled or none
-- ARGV[7]   new lease in microseconds, or nothing: it stays
-- ARGV[8]   microseconds until the row is due, or nothing: never
-- ARGV[9]   milliseconds until the row may go, or nothing: never
-- ARGV[10]  document
-- ARGV[11]  body, or absent
-- answers   a text of time and line: written; else a list of the time, and the row where one was to be inserted
local old = redis.call('GET', KEYS[1])
if ARGV[1] == '-' and old and string.sub(old, 1, 8) ~= 'removed ' then
  return {n, old}
end
local fence, version, claimed, lease, settled, expires = '', '-', '-', '-', '-', '-'
if old then
  fence, version, claimed, lease, settled, expires =
    string.match(old, '^%S+ (%S+) (%S+) (%S+) (%S+) (%S+) (%S+) ')
end
if version ~= ARGV[1] then
  return {n}
end
if ARGV[2] ~= '' then
  local from, length = string.match(lease, '(%d+)%+(%d+)')
  if from + length ~= ARGV[2] + 0 then
    return {n}
  end
end

if ARGV[5] == 'yes' then
  -- The clock may have stepped back.
  fence = f > fence and f or string.format('%016.0f', fence + 1)
end
if ARGV[7] ~= '' then
  lease = n .. '+' .. ARGV[7]
end
local due = ARGV[8] == '' and '-' or n .. '+' .. ARGV[8]
if ARGV[6] == 'claimed' then
  claimed, settled, expires = n, '-', '-'
elseif ARGV[6] == 'settled' then
  settled, expires = n, due
end
local line = ARGV[3] .. ' ' .. fence .. ' ' .. ARGV[4] .. ' ' .. claimed .. ' ' .. lease .. ' ' .. settled .. ' '
  .. expires .. ' ' .. due .. ' ' .. #ARGV[10]
local row = line .. '\n' .. ARGV[10] .. (ARGV[11] and '\n' .. ARGV[11] or '')
if ARGV[9] == '' then
  redis.call('SET', KEYS[1], row)
else
  redis.call('SET', KEYS[1], row, 'PX', ARGV[9])
end
if ARGV[3] ~= 'in_progress' then
  -- If the user may not publish, no waiter is woken, but the row is written.
  redis.pcall('PUBLISH', KEYS[1], '')
end
return n .. ' ' .. line
