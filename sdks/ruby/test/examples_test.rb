# frozen_string_literal: true

require_relative "helper"
require "open3"
require "rbconfig"

# Runs the examples of the README and the documentation against the real service.
class ExamplesTest < Minitest::Test
  parallelize_me!

  def setup
    skip "CHECKLINE_CONFORMANCE_URL is not set" unless ENV.key?("CHECKLINE_CONFORMANCE_URL")
  end

  def run_example(name, environment = {})
    Open3.capture3(environment, RbConfig.ruby, "-I#{Helper.root}/lib", "#{Helper.root}/examples/#{name}.rb")
  end

  def test_verify
    out, err, status = run_example("verify")
    assert_equal ["true Brazil TIM mobile\n", "", 0], [out, err, status.exitstatus]
  end

  def test_verify_prints_the_error
    out, err, status = run_example("verify", "CHECKLINE_API_KEY" => "ch_test_notakey")
    assert_equal ["", "INVALID_API_KEY: The API key is invalid.\n", 1], [out, err, status.exitstatus]
  end

  def test_simple
    assert_equal "valid: true, carrier: TIM\n", run_example("simple").first
  end

  def test_batch
    assert_equal <<~LINES, run_example("batch").first
      +5511987654321: Brazil
      +12025550109: REJECTED_SUBSCRIBER_ABSENT
      +442079460018: United Kingdom
    LINES
  end

  def test_stream
    assert_equal "+5511987654321\n+442079460018\nREJECTED_SUBSCRIBER_ABSENT\n", run_example("stream").first
  end

  def test_quota
    assert_equal "trial 0 1000\n", run_example("quota").first
  end

  def test_retry
    assert_equal "Brazil\n", run_example("retry").first
  end
end
