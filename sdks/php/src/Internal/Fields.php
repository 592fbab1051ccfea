<?php

declare(strict_types=1);

namespace Checkline\Internal;

/**
 * The fields of JSON objects. One of an undocumented type counts as absent.
 *
 * @internal
 */
final class Fields
{
    /** The object, or an empty one. */
    public static function object(mixed $value): \stdClass
    {
        return $value instanceof \stdClass ? $value : new \stdClass();
    }

    public static function count(\stdClass $data, string $name): ?int
    {
        $value = $data->$name ?? null;
        return is_int($value) ? $value : null;
    }

    public static function text(\stdClass $data, string $name): ?string
    {
        $value = $data->$name ?? null;
        return is_string($value) ? $value : null;
    }

    public static function flag(\stdClass $data, string $name): ?bool
    {
        $value = $data->$name ?? null;
        return is_bool($value) ? $value : null;
    }

    /** @return list<string> */
    public static function texts(\stdClass $data, string $name): array
    {
        $value = $data->$name ?? null;
        return is_array($value) ? array_values(array_filter($value, 'is_string')) : [];
    }
}
