# frozen_string_literal: true

require_relative "helper"
require "pp"
require "yaml"

class SecrecyTest < Minitest::Test
  include Helper

  # Every way in which Ruby shows an object without access to its fields by name.
  def texts_of(object)
    serialized = [-> { Marshal.dump(object) }, -> { YAML.dump(object) }, -> { JSON.generate(object) }].map do |dump|
      dump.call.to_s
    rescue TypeError, NoMethodError => error
      error.full_message
    end
    variables = object.instance_variables.map { |name| object.instance_variable_get(name).inspect }
    [object.inspect, object.to_s, object.pretty_inspect, "#{object}", *variables, *serialized]
  end

  def test_a_client_does_not_show_its_key
    assert(texts_of(client_with(response)).none? { |text| text.include?(KEY) })
  end

  def test_an_unknown_method_does_not_show_it_either
    error = assert_raises(NoMethodError) { client_with(response).verfy("1") }
    refute_includes error.full_message, KEY
  end

  def test_a_request_shows_neither_key_nor_number
    requests = []
    client_with(response, requests: requests).verify("+5511987654321")
    request = requests.first
    [request.inspect, request.to_s, request.pretty_inspect].each do |text|
      refute_includes text, KEY
      refute_includes text, "5511987654321"
    end
  end

  def test_an_error_has_no_cause_that_repeats_the_request
    failure = IOError.new("could not write Authorization: Bearer #{KEY}")
    error = assert_raises(Checkline::ConnectionError) { client_with(failure, max_retries: 0).verify("1") }
    assert_nil error.cause
    assert(texts_of(error).push(error.full_message).none? { |text| text.include?(KEY) })
  end

  def test_a_response_that_repeats_the_request_is_not_quoted
    error = assert_raises(Checkline::ServerError) { client_with(response(200, "<p>#{KEY}")).verify("1") }
    assert_nil error.cause
    assert(texts_of(error).push(error.full_message).none? { |text| text.include?(KEY) })
  end
end
