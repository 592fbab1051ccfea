<?php

declare(strict_types=1);

namespace Checkline\Internal;

/**
 * A key, or a text that may contain a password, available only through reveal(). Not a property of the object, so that
 * var_dump(), var_export(), array casts, and stack traces with arguments show nothing.
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
