<?php

declare(strict_types=1);

namespace Checkline\Exception;

/**
 * The verification of this number failed, like the sandbox's failing scenarios.
 *
 * Client::lookupBatch() returns it in place of the number's result; its status is null then.
 */
final class VerificationFailedException extends ChecklineException
{
}
