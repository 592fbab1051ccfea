<?php

declare(strict_types=1);

namespace Checkline\Internal;

/**
 * A key, or a text that may hold a password, which only reveal() gives. It is no property of the object, so that
 * var_dump(), var_export(), casts to arrays and stack traces with arguments have nothing to show.
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
