# frozen_string_literal: true

require_relative "helper"

class ListsTest < Minitest::Test
  include Helper

  def setup
    @requests = Queue.new
    echo = lambda do |request|
      @requests << request
      response(200, { results: JSON.parse(request.body)["numbers"].map { |number| { valid: true, number: number } } })
    end
    @client = Checkline::Client.new(api_key: KEY, base_url: "https://api.test", http_client: echo)
  end

  def sent
    Array.new(@requests.length) { @requests.pop }
  end

  def test_each_request_of_a_list_has_its_own_idempotency_key
    items = @client.lookup_all((0..200).lazy.map(&:to_s), idempotency_key: "job", country: "BR")
    assert_equal (0..200).map(&:to_s), items.map(&:number)
    assert_equal %w[job-1 job-2 job-3], sent.map { |request| request.headers["Idempotency-Key"] }.sort
  end

  def test_a_list_is_read_no_further_than_its_requests
    read = 0
    endless = Enumerator.new { |numbers| loop { numbers << (read += 1).to_s } }
    assert_equal "1", @client.lookup_all(endless, concurrency: 2).first.number
    assert_equal 200, read
  end

  def test_an_error_comes_after_the_items_before_it
    quota = { limit: 9, used: 8, remaining: 1 }
    answers = [response(200, { results: [ANSWER] * 100 }), response(402, { error: "x", code: "QUOTA_TOO_SMALL", quota: quota })]
    items = []
    error = assert_raises(Checkline::QuotaError) do
      client_with(*answers).lookup_all(["1"] * 150, concurrency: 1) { |item| items << item }
    end
    assert_equal [100, 1], [items.length, error.quota.remaining]
  end

  def test_numbers_may_have_string_keys_and_a_symbol_as_country
    requests = []
    client_with(response(200, { results: [{ valid: true }] }), requests: requests)
      .lookup_batch([{ "number" => "1", "country" => :BR }], expect_country: :BR)
    expected = { "numbers" => [{ "number" => "1", "country" => "BR" }], "expect_country" => "BR" }
    assert_equal expected, JSON.parse(requests.first.body)
  end

  def test_non_lists_are_rejected_before_sending
    ["+1", nil, 7, { "1" => "2" }].each { |odd| assert_raises(ArgumentError) { @client.lookup_all(odd) } }
    [0, -1, 1.5, nil].each { |odd| assert_raises(ArgumentError) { @client.lookup_all(["1"], concurrency: odd) } }
    assert_raises(ArgumentError) { @client.lookup_all(["1"], idempotency_key: "a b").first }
    assert_raises(ArgumentError) { @client.lookup_all(["1", 7]).first }
    assert_empty @client.lookup_all([]).to_a
    assert_empty sent
    list = [*Array.new(101, &:to_s), { number: 7 }]
    assert_match(/\Anumbers\[101\]: number/, assert_raises(ArgumentError) { @client.lookup_all(list).to_a }.message)
  end

  def test_what_the_hook_raises_the_call_raises
    client = client_with(response, on_response: ->(_response) { raise KeyError })
    assert_raises(KeyError) { client.lookup("1") }
  end
end
