-- Prolongs the lease of a row in progress, counted from now.
-- KEYS[1]  the row
-- ARGV[1]  the ticket's fence
-- ARGV[2]  the lease, in microseconds
-- answers  1, or 0: the ticket is not the current one
local old = redis.call('GET', KEYS[1]) or ''
local row, renewed = string.gsub(old, '^(in_progress ' .. ARGV[1] .. ' %S+ %S+) %S+', '%1 ' .. n .. '+' .. ARGV[2])
if renewed == 1 then
  redis.call('SET', KEYS[1], row)
end
return renewed
