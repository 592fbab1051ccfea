# frozen_string_literal: true

require_relative "helper"

class PackageTest < Minitest::Test
  # Without sources, the tests cover the package just installed, not an older one.
  def test_the_gem_in_gem_home_is_tested
    skip "the sources are tested" if File.directory?(File.expand_path("../lib", __dir__))
    assert_operator Gem.loaded_specs.fetch("checkline").full_gem_path, :start_with?, "#{ENV.fetch("GEM_HOME")}/"
  end
end
