from checkline import Checkline

client = Checkline()  # The key is in CHECKLINE_API_KEY.
quota = client.quota()

remaining = "unlimited" if quota.remaining is None else quota.remaining
print(quota.plan, quota.used, remaining)
