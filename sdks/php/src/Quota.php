<?php

declare(strict_types=1);

namespace Checkline;

/** The state of a quota, counted in successful live verifications. */
final class Quota
{
    /**
     * @param string|null $plan the plan's id, such as trial; null without a subscription, and in a key's cap and an exception
     * @param int|null $limit null if unlimited
     * @param int|null $remaining null if unlimited
     * @param string|null $resetsAt when it resets, in ISO 8601; null if it doesn't
     * @param Quota|null $keyCap the calling key's monthly cap; null without one
     */
    public function __construct(
        public readonly ?string $plan,
        public readonly ?int $limit,
        public readonly int $used,
        public readonly ?int $remaining,
        public readonly ?string $resetsAt,
        public readonly ?Quota $keyCap,
    ) {
    }
}
