-- Writes what is there once more, so that the replicas can be asked whether they have it.
-- KEYS[1]  the entry
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('SETRANGE', KEYS[1], 0, '1')
end
return 1
