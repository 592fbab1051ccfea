<?php

declare(strict_types=1);

namespace Checkline;

/** What is left of a quota, counted in successful live verifications. */
final class Quota
{
    /**
     * @param string|null $plan trial or pro; null without a subscription, and in a key's cap and an exception
     * @param int|null $limit null where nothing limits them
     * @param int|null $remaining null where nothing limits them
     * @param string|null $resetsAt when it begins again, in ISO 8601; null for one that does not
     * @param Quota|null $keyCap the monthly cap of the key that asks; null without one
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
