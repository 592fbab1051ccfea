<?php

declare(strict_types=1);

namespace Checkline\Exception;

/**
 * The verification of this number failed: a failing sandbox scenario.
 *
 * Client::lookupBatch() returns it as the number's item, with a null status.
 */
final class VerificationFailedException extends ChecklineException
{
}
