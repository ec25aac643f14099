// What the programs of the SDKs have in common: they print one JSON document.

// The SDK's own error, by the name of its class.
export async function failure(work) {
  try {
    await work();
    return { class: 'none' };
  } catch (e) {
    return { class: e.constructor.name, status: e.status ?? e.statusCode, message: e.message };
  }
}

export async function collect(pages) {
  const all = [];
  for await (const item of pages) all.push(item);
  return all;
}

// From its creation to its end: what a read shows of it, whether lists have it,
// what it is after a change, and what becomes of a read when it is gone. id and
// show read one of them; what an SDK does not offer is left out.
export async function life({ id = (it) => it.id, show, create, read, list, update, remove, removed = () => true }) {
  const made = await create();
  const found = { made: show(made) };
  const key = id(made);
  const first = await read(key);
  found.read = id(first) === key && show(first);
  const has = async () => (await list()).filter((it) => id(it) === key).length;
  if (list) found.listed = await has();
  if (update) {
    const changed = await update(key);
    const again = await read(key);
    found.changed = { same: id(again) === key && (id(changed) ?? key) === key, ...show(again) };
  }
  if (!remove) return found;
  found.removed = removed(await remove(key), key);
  found.gone = await failure(() => read(key));
  delete found.gone.message;
  if (list) found.left = await has();
  return found;
}

// Runs each part of the work, and prints what it found. A part that throws
// tells of its error in its own place.
export async function tell(parts) {
  const found = {};
  for (const [name, part] of Object.entries(parts)) {
    try {
      found[name] = await part();
    } catch (e) {
      found[name] = { threw: e.stack };
    }
  }
  process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
}
