from checkline import Checkline

client = Checkline()  # The key is in CHECKLINE_API_KEY.

# Store it with the job, so a rerun counts once.
key = "7c1d5c0e-6f0f-4a53-9d53-3a1f3b8f2f0e"
result = client.lookup("+5511987654321", idempotency_key=key)

print(result.country_name)
