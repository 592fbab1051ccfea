<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** The service failed (5xx), redirected, or gave a response that cannot be used. */
final class ServerException extends ChecklineException
{
}
