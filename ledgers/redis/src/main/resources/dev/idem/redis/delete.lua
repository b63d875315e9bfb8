-- Deletes a row. Its fence stays for a while, so that the next one is higher even if the clock steps back.
-- KEYS[1]  the row
-- ARGV[1]  the version that was seen
-- ARGV[2]  milliseconds for which the fence stays
-- answers  1, or 0: the version is another one
local fence, version = string.match(redis.call('GET', KEYS[1]) or '', '^%S+ (%S+) (%S+) ')
if version ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], 'removed ' .. fence .. ' - - - - - - 0\n', 'PX', ARGV[2])
return 1
