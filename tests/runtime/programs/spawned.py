"""Compiles in spawned children and in a thread as well as in the main process."""

import threading

import torch
import torch.multiprocessing


def step(x: torch.Tensor) -> torch.Tensor:
    y = x.sin()
    print("step", flush=True)
    return y + 1


def child(index: int) -> None:
    compiled = torch.compile(step, backend="eager")
    for size in range(2, 4 + index):
        compiled(torch.ones(size))


def in_thread() -> None:
    @torch.compile(backend="eager")
    def of_thread(x: torch.Tensor) -> torch.Tensor:
        return x * x.sum().item()

    of_thread(torch.ones(3))


if __name__ == "__main__":
    torch.multiprocessing.spawn(child, nprocs=2)
    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
    child(0)
