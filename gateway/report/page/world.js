// The world at the end beside the one that the run began with, record by record.

async function startWorld() {
  const world = await block('world')
  await ready
  const out = world.collections.map(collectionOf)
  if (!out.length) out.push(make('p', {}, 'Nothing: every record is as it was.'))
  if (world.hidden) out.push(make('p', {class: 'small'}, count(world.hidden, 'record') + ' of the services\' own bookkeeping changed too, and are left out.'))
  $('changes').replaceChildren(...out)
}

function collectionOf(c) {
  const said = ['created', 'updated', 'deleted'].filter(op => c[op]).map(op => c[op] + ' ' + op)
  if (c.passed) said.push(c.passed + ' created and deleted again')
  if (c.twins) said.push(c.twins + ' of them made again')
  const box = make('details', {class: 'collection'}, make('summary', {}, make('b', {}, c.name), ' ' + said.join(', ')))
  let filled = false
  const fill = () => {
    if (filled) return
    filled = true
    box.append(...c.records.map(recordOf), c.more ? make('p', {class: 'small'}, 'and ' + count(c.more, 'more record')) : '')
  }
  box.addEventListener('toggle', fill)
  addEventListener('beforeprint', fill)
  if (c.records.length <= 3) { fill(); box.open = true }
  return box
}

function recordOf(r) {
  const by = r.by.flatMap((b, i) => [i ? '; ' : '', reference(b.event), ' ' + b.who])
  if (r.wrote > r.by.length) by.push('; and ' + count(r.wrote - r.by.length, 'more change'))
  return make('div', {class: 'record'},
    make('p', {class: 'line'}, make('span', {class: 'op ' + {created: 'create', updated: 'update', deleted: 'delete'}[r.op]}, r.op), ' ', ...named(r), r.twin ? make('span', {class: 'op delete'}, 'made again: twin of ' + r.twin) : ''),
    make('p', {class: 'small'}, ...by),
    r.fields.length ? fieldsOf(r.fields, r.more, true) : bodyOf(r.record, 'Record') && make('details', {}, make('summary', {class: 'small'}, 'The record'), bodyOf(r.record, 'Record')))
}
