<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** The service failed (5xx), redirected, or returned an unusable response. */
final class ServerException extends ChecklineException
{
}
