-- KEYS[1]  the row
-- answers  time, and the row where there is one
return {n, redis.call('GET', KEYS[1])}
