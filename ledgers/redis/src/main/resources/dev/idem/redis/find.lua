-- KEYS[1]  the entry
-- answers  the time, and the entry where there is one
return n .. (redis.call('GET', KEYS[1]) or '')
