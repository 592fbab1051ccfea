# frozen_string_literal: true

require_relative "lib/checkline/version"

Gem::Specification.new do |spec|
  spec.name = "checkline"
  spec.version = Checkline::VERSION
  spec.authors = ["The Checkline authors"]
  spec.summary = "The official client of the Checkline phone number verification API"
  spec.description = "Verifies phone numbers: whether they are valid, their country, carrier and line type. Typed " \
                     "results and errors, retries, timeouts, no dependencies."
  spec.homepage = "https://checkline.example/docs/sdks"
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.0"
  spec.metadata = {
    "homepage_uri" => spec.homepage,
    "source_code_uri" => "https://checkline.example/sdks/ruby",
    "rubygems_mfa_required" => "true"
  }
  spec.files = Dir.chdir(__dir__) { Dir["{lib,sig,examples}/**/*.{rb,rbs}", "*.md", "LICENSE"].sort }
  spec.require_paths = ["lib"]
end
