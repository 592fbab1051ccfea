/** A bounded map that evicts the least recently used entry. */
export interface Lru<Value> {
  get(key: string): Value | undefined;
  /** The value of a key, created if missing. */
  obtain(key: string, make: () => Value): Value;
  set(key: string, value: Value): void;
  delete(key: string): void;
  readonly size: number;
}

/** A node in the order of use, a ring with `root` between the latest and the oldest. */
interface Node<Value> {
  readonly key: string;
  value: Value;
  newer: Node<Value>;
  older: Node<Value>;
}

/** A linked list keeps the order, so every call takes the same time, however many entries there are. */
export function createLru<Value>(limit: number): Lru<Value> {
  const nodes = new Map<string, Node<Value>>();
  const root = {} as Node<Value>;
  root.newer = root;
  root.older = root;

  function unlink({ newer, older }: Node<Value>): void {
    newer.older = older;
    older.newer = newer;
  }

  function linkAsLatest(node: Node<Value>): void {
    node.newer = root;
    node.older = root.older;
    root.older.newer = node;
    root.older = node;
  }

  function remove(node: Node<Value>): void {
    unlink(node);
    nodes.delete(node.key);
  }

  function touch(key: string): Node<Value> | undefined {
    const node = nodes.get(key);
    if (node === undefined || node === root.older) return node;
    unlink(node);
    linkAsLatest(node);
    return node;
  }

  function add(key: string, value: Value): void {
    const added: Node<Value> = { key, value, newer: root, older: root };
    nodes.set(key, added);
    linkAsLatest(added);
    if (nodes.size > limit) remove(root.newer);
  }

  return {
    get: (key) => touch(key)?.value,
    obtain(key, make) {
      const node = touch(key);
      if (node !== undefined) return node.value;
      const value = make();
      add(key, value);
      return value;
    },
    set(key, value) {
      const node = touch(key);
      if (node === undefined) add(key, value);
      else node.value = value;
    },
    delete(key) {
      const node = nodes.get(key);
      if (node !== undefined) remove(node);
    },
    get size() {
      return nodes.size;
    },
  };
}
