<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** The key is wrong, expired, revoked, or not allowed to do this (401, 403). */
final class AuthenticationException extends ChecklineException
{
}
