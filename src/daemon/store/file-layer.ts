import { open, rename, unlink } from 'node:fs/promises';

export interface WritableFile {
  /** Writes at the file's position and tells how many bytes went in, which may be fewer than given. */
  write(bytes: Uint8Array): Promise<number>;
  /** Returns once the content would survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The steps that make a change durable: one real implementation, and one for tests that fails or parks any of them. */
export interface FileLayer {
  open(path: string, flags: number, mode: number): Promise<WritableFile>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Returns once the names in a directory would survive a power cut. */
  syncDirectory(path: string): Promise<void>;
}

/** Some network and FUSE file systems cannot sync a directory at all, and are as durable as they are. */
const NO_DIRECTORY_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

export const nodeFiles: FileLayer = {
  async open(path, flags, mode) {
    const handle = await open(path, flags, mode);
    return {
      write: async (bytes) => (await handle.write(bytes)).bytesWritten,
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
  rename,
  unlink,
  async syncDirectory(path) {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } catch (error) {
      if (!NO_DIRECTORY_SYNC.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    } finally {
      await handle.close();
    }
  },
};
