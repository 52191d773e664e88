// The files of an archive of the exported page: a tar, compressed as a whole, so that many small files take little room.

const BLOCK = 512;

/** Return the contents of an archive as it was fetched; a host may have unpacked it on the way. */
export async function unpacked(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  const data = new Uint8Array(await response.arrayBuffer());
  if (data[0] !== 0x1f || data[1] !== 0x8b) return data;
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Yield the path and the contents of each file of a tar. */
export function* filesOf(tar) {
  const text = (start, size) => {
    const field = tar.subarray(start, start + size), end = field.indexOf(0);
    return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
  };
  for (let at = 0; at + BLOCK <= tar.length && tar[at]; ) {
    const size = parseInt(text(at + 124, 12), 8), folder = text(at + 345, 155), name = text(at, 100);
    yield [folder ? `${folder}/${name}` : name, tar.subarray(at + BLOCK, at + BLOCK + size)];
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** Write the files of a tar into a folder of a file system of Emscripten. */
export function place(FS, folder, tar) {
  const made = new Set();
  for (const [path, data] of filesOf(tar)) {
    const file = `${folder}/${path}`, inside = file.slice(0, file.lastIndexOf("/"));
    if (!made.has(inside)) FS.mkdirTree(inside);
    made.add(inside);
    FS.writeFile(file, data);
  }
}
