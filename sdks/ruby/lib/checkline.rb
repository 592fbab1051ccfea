# frozen_string_literal: true

require_relative "checkline/version"
require_relative "checkline/errors"
require_relative "checkline/result"
require_relative "checkline/lookup_result"
require_relative "checkline/values"
require_relative "checkline/http"
require_relative "checkline/net_http_client"
require_relative "checkline/retries"
require_relative "checkline/answer"
require_relative "checkline/client"

# The official client of the Checkline phone number verification API. Start with {Checkline::Client}.
module Checkline
end
