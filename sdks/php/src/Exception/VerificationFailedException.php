<?php

declare(strict_types=1);

namespace Checkline\Exception;

/**
 * The verification of this number failed, as the sandbox's failing scenarios do.
 *
 * Client::lookupBatch() gives it in the number's place; its status is null then.
 */
final class VerificationFailedException extends ChecklineException
{
}
