# frozen_string_literal: true

# The conformance cases spend most of their time waiting for responses.
ENV["MT_CPU"] ||= "16"

require "minitest/autorun"
require "checkline"

module Helper
  KEY = "ch_test_KeyOfTheUnitTests0123456789abcdefghij"
  ANSWER = { valid: true, number: "+5511987654321", country_name: "Brazil", carrier: "TIM", line_type: "mobile" }.freeze

  # The folder of the gem under test: the installed one, or else this one.
  def self.root
    Gem.loaded_specs["checkline"]&.full_gem_path || File.expand_path("..", __dir__)
  end

  def response(status = 200, body = ANSWER, headers = {})
    Checkline::Response.new(status: status, headers: headers, body: body.is_a?(String) ? body : JSON.generate(body))
  end

  # A client whose HTTP client returns one response after another; a response that is an exception is raised.
  def client_with(*answers, requests: [], **options)
    http_client = lambda do |request|
      requests << request
      answer = answers.length > 1 ? answers.shift : answers.first
      answer.is_a?(Exception) ? raise(answer) : answer
    end
    Checkline::Client.new(api_key: KEY, base_url: "http://127.0.0.1:1", http_client: http_client, **options)
  end

  def with_environment(variables)
    before = variables.to_h { |name, _value| [name, ENV[name]] }
    ENV.update(variables)
    yield
  ensure
    ENV.update(before)
  end
end
