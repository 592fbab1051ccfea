<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** The key is invalid or revoked, or lacks permission (401, 403). */
final class AuthenticationException extends ChecklineException
{
}
