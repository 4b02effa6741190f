import torch
from diffusers import DDIMScheduler, UNet2DConditionModel


def build():
    unet = UNet2DConditionModel(
        block_out_channels=(8, 16),
        layers_per_block=1,
        sample_size=16,
        in_channels=4,
        out_channels=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=16,
        norm_num_groups=4,
        attention_head_dim=4,
    )
    scheduler = DDIMScheduler()
    scheduler.set_timesteps(10)
    return unet.eval(), scheduler


class Denoise(torch.nn.Module):
    def __init__(self, unet: UNet2DConditionModel, scheduler: DDIMScheduler):
        super().__init__()
        self.unet = unet
        self.scheduler = scheduler

    def forward(self, latents, t, text):
        noise = self.unet(latents, t, encoder_hidden_states=text).sample
        return self.scheduler.step(noise, t, latents).prev_sample


if __name__ == "__main__":
    unet, scheduler = build()
    step = torch.compile(Denoise(unet, scheduler), backend="eager")
    with torch.no_grad():
        latents = torch.randn(1, 4, 16, 16)
        for t in scheduler.timesteps[:3]:
            latents = step(latents, t, torch.randn(1, 5, 16))
