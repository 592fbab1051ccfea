<?php

declare(strict_types=1);

namespace Checkline\Exception;

/**
 * The number is one of the sandbox's nine failing numbers.
 *
 * Client::lookupBatch() returns it in place of the number's result; its status is null then.
 */
final class VerificationFailedException extends ChecklineException
{
}
