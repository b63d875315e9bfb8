-- n: the time, f: what a fence is made from; both microseconds since 1970 in 16 digits. The one place they come from.
local t = redis.call('TIME')
local n = t[1] .. string.sub('00000' .. t[2], -6)
local f = n
