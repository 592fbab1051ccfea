<?php

declare(strict_types=1);

namespace Checkline\Internal;

/**
 * A key, or a string that may contain a password, which only reveal() returns. It isn't a property of the object, so
 * var_dump(), var_export(), casts to arrays, and stack traces with arguments can't show it.
 *
 * @internal
 */
final class Secret
{
    /** @var \WeakMap<self, string>|null */
    private static ?\WeakMap $values = null;

    public function __construct(#[\SensitiveParameter] string $value)
    {
        self::$values ??= new \WeakMap();
        self::$values[$this] = $value;
    }

    public function reveal(): string
    {
        return self::$values[$this];
    }

    /** @return never */
    public function __serialize(): array
    {
        throw new \LogicException('A Checkline client cannot be serialized: it holds a key.');
    }

    private function __clone()
    {
    }
}
