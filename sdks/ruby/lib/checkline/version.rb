# frozen_string_literal: true

module Checkline
  VERSION = "1.0.0"
end
