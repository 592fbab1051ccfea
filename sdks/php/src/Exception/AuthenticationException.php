<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** The key is wrong or revoked, or may not do this (401, 403). */
final class AuthenticationException extends ChecklineException
{
}
