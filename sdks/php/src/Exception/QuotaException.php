<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** The quota of the subscription is used up (402). */
final class QuotaException extends ChecklineException
{
}
