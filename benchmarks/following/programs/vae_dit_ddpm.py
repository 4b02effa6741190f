import torch
from diffusers import AutoencoderKL, DDPMScheduler, DiTTransformer2DModel


class Train(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.vae = AutoencoderKL(
            block_out_channels=(8, 16),
            down_block_types=("DownEncoderBlock2D",) * 2,
            up_block_types=("UpDecoderBlock2D",) * 2,
            latent_channels=4,
            norm_num_groups=4,
            sample_size=32,
        )
        self.dit = DiTTransformer2DModel(
            num_attention_heads=2,
            attention_head_dim=8,
            in_channels=4,
            out_channels=4,
            num_layers=2,
            sample_size=16,
            patch_size=2,
            num_embeds_ada_norm=10,
            norm_num_groups=4,
        )
        self.scheduler = DDPMScheduler()

    def forward(self, image: torch.Tensor, noise: torch.Tensor, t: torch.Tensor, label: torch.Tensor):
        z = self.vae.encode(image).latent_dist.sample()
        noisy = self.scheduler.add_noise(z, noise, t)
        pred = self.dit(noisy, timestep=t, class_labels=label).sample
        loss = torch.nn.functional.mse_loss(pred, noise)
        return loss


class Sample(torch.nn.Module):
    def __init__(self, scheduler: DDPMScheduler):
        super().__init__()
        self.scheduler = scheduler

    def forward(self, pred: torch.Tensor, t: torch.Tensor, z: torch.Tensor):
        return self.scheduler.step(pred, t, z).prev_sample


if __name__ == "__main__":
    m = torch.compile(Train(), backend="eager")
    m(torch.randn(2, 3, 32, 32), torch.randn(2, 4, 16, 16), torch.tensor([3, 5]), torch.tensor([1, 2])).backward()
    s = DDPMScheduler()
    s.set_timesteps(10)
    f = torch.compile(Sample(s), backend="eager")
    for t in s.timesteps[:2]:
        f(torch.randn(1, 4, 8, 8), t, torch.randn(1, 4, 8, 8))
